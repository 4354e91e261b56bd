"""Causal language models of somebody's own, which read a goal and answer in text: the extra `hf`.

What is said and read (`text`), tools (`tools`) and demonstrations need no library but ours; `policy` imports torch and
transformers. Models are trained by TRL's own trainers, as `examples/own_model.py` does.
"""
