"""Who works beside a person at a lemma, in a process of its own: watched at every step, asked, shown and handed on."""
