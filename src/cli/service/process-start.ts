/** The index of the start time, field 22 of /proc/<pid>/stat, among the fields after the name. */
const START_FIELD = 22 - 3
const PS_TIMEOUT_MS = 5000

/**
 * Returns a string for the start time of a process, which distinguishes the process from earlier processes with the
 * same id. Returns null if the process does not exist or the system does not provide its start time.
 */
export function readProcessStart(pid: number): string | null {
  return process.platform === 'linux' ? readProc(pid) : readPs(pid)
}

// The start time is relative to the boot of the machine, so the id of the boot is part of the string.
function readProc(pid: number): string | null {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The second field, the name of the program, may contain spaces and parentheses.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]
    return start === undefined ? null : `${boot} ${start}`
  } catch {
    // The process has ended, or this system hides the process.
    return null
  }
}

function readPs(pid: number): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    // The output of ps must not depend on the locale and the time zone.
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC0' },
    timeout: PS_TIMEOUT_MS,
  })
  return stdout?.trim() || null
}
