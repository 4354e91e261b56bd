"""What it buys a student that two states count as the same: `oasis sharing`."""
