import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { defineSandboxCommand } from '../../src/cli/command/sandbox-command.ts'

export default defineSandboxCommand(sandboxes.reset, {
  summary: 'Empty a sandbox or restore its original state',
  description:
    'A sandbox that was created with --from is restored to its original contents, unless you give --to empty. Its API keys stay valid. The sandbox default cannot be reset: stop the server and use paycli serve --reset.',
  examples: ['sbx_4bT9…', 'current --to empty'],
})
