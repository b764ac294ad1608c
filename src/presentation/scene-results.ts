/** The result of a scene of the dashboard, as the dashboard reads it. */
export interface SceneResult {
  readonly object: 'trigger'
  /** The id of the event whose type is the name of the scene. */
  readonly event: string
  readonly events: readonly { readonly id: string; readonly type: string; readonly object: string }[]
}

/** The error of a failed scene, with a hint. */
export interface SceneFailure {
  readonly object: 'scene_failure'
  readonly message: string
  readonly hint: string | null
}

/** A step that the dashboard executed, with only the id of the response, so that no secret reaches the browser. */
interface ExecutedStep {
  readonly name: string
  readonly method: string
  readonly path: string
  /** The id in the response; null without an id. */
  readonly id: string | null
  /** The error status that the step expected and received; null if the request succeeded. */
  readonly error_status: number | null
}

/** The result of a fixture file in the dashboard. */
export interface FixtureRunResult {
  readonly object: 'fixture_run'
  readonly steps: readonly ExecutedStep[]
  /** The error of the step that failed; null if every step succeeded. */
  readonly failure: SceneFailure | null
}
