import { spawn } from 'node:child_process'

// The script reads commands from standard input, one per line. `watch` sets the processes to end (process groups as
// negative numbers). `objects` sets the arguments of the cleanup, which runs once for each argument. `done` means that
// nothing is left to clean up. When the process that started the guard is killed, standard input ends before `done`.
const SCRIPT = `
targets=
objects=
while read -r word values; do
  case $word in
    watch) targets=$values ;;
    objects) objects=$values ;;
    done) exit 0 ;;
  esac
done
is_running() {
  for target in $targets; do kill -s 0 -- "$target" && return 0; done
  return 1
}
for target in $targets; do kill -s TERM -- "$target"; done
for second in 1 2 3; do
  is_running || break
  sleep 1
done
for target in $targets; do kill -s KILL -- "$target"; done
if [ -z "$objects" ]; then exec "$@"; fi
for object in $objects; do "$@" "$object"; done
`

export type CleanupWatchdog = ReturnType<typeof startCleanupWatchdog>

/**
 * Starts a process that ends commands and runs the program `cleanup` when this process is killed. Without a POSIX
 * shell, the function has no effect.
 */
export function startCleanupWatchdog(cleanup: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'paycli-guard', ...cleanup], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Use a separate process group, so that a signal to the group of this process does not end the guard.
    detached: true,
    env,
  })
  // Without a guard, the next createTemporaryHome or the expiry of the sandbox cleans up.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return {
    /** Sets the processes to end. A negative number is a process group. */
    watch: (...targets: readonly number[]) => void guard.stdin.write(`watch ${targets.join(' ')}\n`),
    /** Sets the arguments of the cleanup, which runs once for each argument (default: once, without an argument). */
    setObjects: (objects: readonly string[]) => void guard.stdin.write(`objects ${objects.join(' ')}\n`),
    /** Ends the guard without cleaning up. */
    release: () => void guard.stdin.end('done\n'),
  }
}
