"""What goes over the wire: what requests hold, what is answered, and what is wrong with them."""
