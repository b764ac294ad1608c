import { render } from 'preact'
import { openClickedLink } from './routing/router.ts'
import { App } from './shell/app.tsx'

const root = document.getElementById('app')
document.addEventListener('click', openClickedLink)
if (root !== null) render(<App />, root)
