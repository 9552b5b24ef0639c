"""How fast fairdeal is, beside a peer."""
