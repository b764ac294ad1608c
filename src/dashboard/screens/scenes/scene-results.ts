/** The result of a scene that ran. */
export interface TriggerResult {
  readonly object: 'trigger'
  /** The id of the event that the scene is named after. */
  readonly event: string
  readonly made: readonly string[]
  readonly events: readonly { readonly id: string; readonly type: string; readonly object: string }[]
}

/** The error of a failed scene, with a hint. */
export interface SceneFailure {
  readonly object: 'scene_failure'
  readonly message: string
  readonly hint: string | null
}

/** The result of a fixture file. */
export interface FixtureRun {
  readonly object: 'fixture_run'
  readonly steps: readonly {
    readonly name: string
    readonly method: string
    readonly path: string
    readonly id: string | null
    readonly error_status: number | null
  }[]
  readonly failure: SceneFailure | null
}
