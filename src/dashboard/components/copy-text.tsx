import { useState } from 'preact/hooks'

const CONFIRMATION_MS = 1500
/** Maximum length of a tooltip, because a request body can be 16,000 characters long. */
const MAX_TOOLTIP = 200

/** Shows a command or an id with a button that copies it. */
export function CopyText({ text }: { readonly text: string }) {
  return (
    <div class="row copy-text">
      <code>{text}</code>
      <CopyButton text={text} label="Copy" />
    </div>
  )
}

/** Shows a button that copies a string, with the start of the string as its tooltip. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const copy = async () => {
    const result = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    )
    setState(result)
    setTimeout(() => setState('idle'), CONFIRMATION_MS)
  }
  const shown = { idle: label, copied: 'Copied', failed: 'Select and copy by hand' }[state]
  const tooltip = text.length > MAX_TOOLTIP ? `${text.slice(0, MAX_TOOLTIP)}…` : text
  return (
    <button type="button" onClick={copy} title={tooltip} aria-label={`${shown}: ${tooltip}`}>
      {shown}
    </button>
  )
}
