"""RMaxTS (Xin et al. 2024, DeepSeek-Prover-V1.5): Monte Carlo tree search rewarded for states not seen before."""
