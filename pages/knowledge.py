"""Knowledge: the documents, how they are cut into chunks, and what the questions find in them."""

from rag_variants.ui.views.knowledge import draw_knowledge_page

draw_knowledge_page()
