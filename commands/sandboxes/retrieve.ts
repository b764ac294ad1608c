import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { defineSandboxCommand } from '../../src/cli/command/sandbox-command.ts'

export default defineSandboxCommand(sandboxes.retrieve, {
  summary: 'Retrieve a sandbox',
  description: 'The id current stands for the sandbox of the API key, default for the default sandbox.',
  examples: ['sbx_4bT9…', 'current'],
})
