"""Model predictive control from exported C: a racing bicycle and a quadrotor at 100 Hz."""
