"""What people read about the service: the contract, the problems, and its health."""
