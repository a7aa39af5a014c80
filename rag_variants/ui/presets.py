"""Pairs worth a first look. Each changes one thing, except where the name says otherwise."""

PRESETS: dict[str, tuple[str, str]] = {
    "Keyword → hybrid": ("keyword", "hybrid"),
    "Keyword → vector": ("keyword", "vector"),
    "Vector → hybrid": ("vector", "hybrid"),
    "Hybrid: 5 → 3 chunks": ("hybrid", "hybrid:top_k=3"),
    "Hybrid: chunks of 600 → 200 characters": ("hybrid", "hybrid:chunk_size=200"),
    "Hybrid: equal votes → coverage vote": ("hybrid", "hybrid:coverage=on"),
    "Keyword: words as typed → stems": ("keyword:tokens=words", "keyword"),
    "Vector: all documents → current ones": ("vector", "vector:documents=current"),
    "Hybrid against itself (no difference)": ("hybrid", "hybrid"),
}
