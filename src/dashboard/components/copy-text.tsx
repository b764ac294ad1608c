import { useState } from 'preact/hooks'

const CONFIRMATION_MS = 1500

/** Shows a command or an id with a button that copies it. */
export function CopyText({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const copy = async () => {
    const result = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    )
    setState(result)
    setTimeout(() => setState('idle'), CONFIRMATION_MS)
  }
  return (
    <div class="copy-text">
      <code>{text}</code>
      <button type="button" onClick={copy}>
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select and copy by hand' : label}
      </button>
    </div>
  )
}
