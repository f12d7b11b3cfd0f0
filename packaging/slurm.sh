#!/bin/bash
# A study as a Slurm job: sbatch slurm.sh STUDY RUN. A minute before the time is up the run is asked to stop and saves what it
# has; the job is queued again and goes on where it was.
#SBATCH --job-name=toposearch
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
set -u
study=${1:?sbatch slurm.sh STUDY RUN} run=${2:?sbatch slurm.sh STUDY RUN}
if [ -e "$run/manifest.json" ]; then
	toposearch resume "$run" --workers "$SLURM_CPUS_PER_TASK" &
else
	toposearch run "$study" --out "$run" --workers "$SLURM_CPUS_PER_TASK" &
fi
job=$!
stopped=0
trap 'stopped=1; kill -TERM "$job"' TERM
wait "$job"
status=$?
if [ "$stopped" = 1 ]; then # the first wait ended with the signal
	wait "$job"
	scontrol requeue "$SLURM_JOB_ID"
	exit 0
fi
exit "$status"
