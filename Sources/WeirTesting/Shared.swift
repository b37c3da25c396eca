// Names: what the room shares.
