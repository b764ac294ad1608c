/** Returns milliseconds of the monotonic clock that all processes of this machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Returns the processor time that this thread has used so far, in microseconds. */
export function threadCpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
