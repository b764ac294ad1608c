/** Where field 22 of /proc/<pid>/stat, the start time, is among those behind the name. */
const START_FIELD = 22 - 3
const PS_LIMIT_MS = 5000

/**
 * Returns what tells a process from an earlier or later one of the same number, or null when there is no such process or
 * the system does not say.
 */
export function processStart(pid: number): string | null {
  return process.platform === 'linux' ? startInProc(pid) : startInPs(pid)
}

// The start time counts from the boot of the machine, so it says little without naming that boot.
function startInProc(pid: number): string | null {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The name may hold anything, spaces and parentheses too.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]
    return start === undefined ? null : `${boot} ${start}`
  } catch {
    // The process has ended, or this system hides it.
    return null
  }
}

function startInPs(pid: number): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    // The same process reads the same in every locale and time zone.
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC0' },
    timeout: PS_LIMIT_MS,
  })
  return stdout?.trim() || null
}
