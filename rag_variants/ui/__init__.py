"""The pages. The only importer of Streamlit; the work is done by the library."""
