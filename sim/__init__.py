"""The simulator, and the KTIR reference interpreter (`sim.reference`).

    prepared = prepare(spyrecode_or_directory, arch)     # job preparation plan, once
    result = prepared.launch([x, y, out])                # job execution plan, every time
    result.outputs[2], result.cycles, result.profile.to_json()

docs/simulator.md says how it works and what it checks.
"""

from .launch import LaunchResult, Prepared, prepare
from .profile import Profile

__all__ = ["LaunchResult", "Prepared", "Profile", "prepare"]
