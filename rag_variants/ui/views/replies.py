"""What is kept of models' replies: how much, what for, and a way to empty it."""

import streamlit as st

from rag_variants.llm.cached_replies import CachedSize, open_cached_replies
from rag_variants.settings import Settings
from rag_variants.ui.frame import show_note

_SAID = "replies said"


def draw_replies() -> None:
    """The size of the store and the button that empties it. Raises StateError and ModelError."""
    settings = Settings()
    kept = open_cached_replies(settings)
    size = kept.size()
    st.caption(
        "A model's reply is paid for once: the same call gets the kept reply, in both variants, later runs and other "
        "visits of this server. Replies are kept in the state folder on this computer; no key is among them."
    )
    st.markdown(f"**{size_words(size, settings.replies_megabytes)}**")
    if size.replies:
        st.progress(min(1.0, size.bytes / 1e6 / settings.replies_megabytes))
    st.caption("Beyond the bound the oldest replies go. Set RAG\\_VARIANTS\\_REPLIES\\_MEGABYTES for another one.")
    with st.popover("Empty …", disabled=not size.replies, key="empty replies"):
        st.markdown(
            "Every model is then asked again for what it has said already, **and paid again**; its new replies may "
            "differ, and so may scores. Results on the screen, kept runs and vectors stay. It concerns everybody who "
            "uses this server, and cannot be undone."
        )
        if st.button(f"Remove {_replies(size.replies)}", key="remove replies", type="primary"):
            st.session_state[_SAID] = f"{_replies(kept.empty())} removed."
            st.rerun()
    if said := st.session_state.pop(_SAID, None):
        show_note(said, "replies said", "check_circle")


def size_words(size: CachedSize, bound: int) -> str:
    """How many replies are kept, in how many MB of how many."""
    if not size.replies:
        return f"No reply is kept yet; room for {bound:,} MB"
    return f"{_replies(size.replies)} in {size.bytes / 1e6:,.1f} MB of at most {bound:,} MB"


def _replies(count: int) -> str:
    return "1 reply" if count == 1 else f"{count:,} replies"
