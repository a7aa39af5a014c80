"""Settings: the models that can be asked, and what is kept of their replies."""

from rag_variants.ui.settings_page import draw_settings_page

draw_settings_page()
