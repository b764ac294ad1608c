import { spawn } from 'node:child_process'

// Reads from standard input the process to end (a group as a negative number), or `done` when nothing is left to clean up.
// When the process that started the guard is killed, standard input ends before `done`.
const SCRIPT = `
target=
while read -r line; do
  if [ "$line" = done ]; then exit 0; fi
  target=$line
done
if [ -n "$target" ]; then
  kill -s TERM -- "$target"
  for second in 1 2 3; do
    kill -s 0 -- "$target" || break
    sleep 1
  done
  kill -s KILL -- "$target"
fi
exec "$@"
`

/** A process that ends a command and cleans up after it when this process is killed. */
export interface ProcessGuard {
  /** Sets the process to end. A negative number is a process group. */
  readonly watch: (target: number) => void
  /** Ends the guard without cleaning up. */
  readonly release: () => void
}

/** Starts a guard that runs the program `cleanup` when this process is killed. Without a POSIX shell it does nothing. */
export function startProcessGuard(
  cleanup: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ProcessGuard {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'paycli-guard', ...cleanup], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate process group, so that a signal to the group of this process does not end the guard.
    detached: true,
    env,
  })
  // Without a guard, something else cleans up later: the next createTemporaryHome, or the expiry of a sandbox.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return {
    watch: (target) => void guard.stdin.write(`${target}\n`),
    release: () => void guard.stdin.end('done\n'),
  }
}
