/** Returns milliseconds of the monotonic clock that all processes of this machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
