"""Players and their accounts, statements, ratings and block lists; the administrators' view of them."""
