/** Values of TERM_PROGRAM for terminals that support hyperlinks. */
const PROGRAMS = /^(?:iTerm\.app|WezTerm|vscode|ghostty|zed|Tabby|rio)$/
const TERMS = /^(?:xterm-(?:kitty|ghostty)|alacritty|foot|wezterm|contour)/
/** The first version of the GNOME terminal library that does not crash on hyperlinks. */
const FIRST_VTE_VERSION = 5001

/** Converts text to a hyperlink, or returns the text unchanged. */
export type HyperlinkFormatter = (text: string, url: string) => string

/** Creates a hyperlink function (OSC 8). Only web addresses become links. */
export function createHyperlinkFormatter(isSupported: boolean): HyperlinkFormatter {
  return (text, url) => {
    if (!isSupported || !/^https?:\/\//.test(url) || !URL.canParse(url)) return text
    // A parsed address has no control characters, which could end the escape sequence.
    return `\u001b]8;;${new URL(url).href}\u001b\\${text}\u001b]8;;\u001b\\`
  }
}

/** Returns whether the terminal supports hyperlinks. FORCE_HYPERLINK overrides the detection. */
export function hasHyperlinkSupport(env: NodeJS.ProcessEnv, isColored: boolean): boolean {
  const forced = env['FORCE_HYPERLINK']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  if (!isColored || (env['CI'] ?? '') !== '' || env['TERM'] === 'dumb') return false
  if (Number(env['VTE_VERSION'] ?? 0) >= FIRST_VTE_VERSION) return true
  const isMarked = ['WT_SESSION', 'KONSOLE_VERSION', 'DOMTERM'].some((name) => (env[name] ?? '') !== '')
  return isMarked || PROGRAMS.test(env['TERM_PROGRAM'] ?? '') || TERMS.test(env['TERM'] ?? '')
}
