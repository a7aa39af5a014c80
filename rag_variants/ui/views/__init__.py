"""What a page shows of a value: one file a view. A view reads the selection and writes it back, no more."""
