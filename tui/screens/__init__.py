"""The places of the classroom, a file each, and what they ask in between."""
