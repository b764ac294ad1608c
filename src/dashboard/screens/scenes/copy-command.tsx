import { useState } from 'preact/hooks'

const CONFIRMATION_MS = 1500

/** A button that copies a command, which its tooltip shows. */
export function CopyCommand({ command }: { readonly command: string }) {
  const [label, setLabel] = useState('Copy command')
  const copy = async () => {
    const result = await navigator.clipboard.writeText(command).then(
      () => 'Copied',
      () => 'Cannot copy',
    )
    setLabel(result)
    setTimeout(() => setLabel('Copy command'), CONFIRMATION_MS)
  }
  return (
    <button type="button" onClick={copy} title={command} aria-label={`${label}: ${command}`}>
      {label}
    </button>
  )
}
