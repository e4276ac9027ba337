"""Complete logs of tables, which must stay valid in every later version."""
