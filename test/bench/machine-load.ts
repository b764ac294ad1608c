import { cpus } from 'node:os'

/** Starts to observe the processors; returns a function that describes how busy they have been since then. */
export function openMachineLoad(): () => string {
  const before = readTimes()
  return () => {
    const after = readTimes()
    const share = (after.idle - before.idle) / (after.all - before.all)
    return `processors ${Math.round(share * 100)} % idle`
  }
}

function readTimes() {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, one) => sum + one.idle, 0)
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle)
  return { idle, all }
}
