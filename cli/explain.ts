import { isCancelled } from '../shared/base/abort.ts'
import type { ApplicationSnapshot } from '../shared/model/status.ts'
import { ClustersError } from '../shared/clusters/clusters-error.ts'
import { GitError } from '../shared/git/git-error.ts'
import { ClusterError } from '../shared/kube/cluster-error.ts'
import type { Failure } from '../shared/model/failure.ts'
import { RehearsalError } from '../shared/rehearsal/rehearsal-error.ts'
import { RenderError } from '../shared/render/errors.ts'
import { CliError } from './cli-error.ts'

/** An error as a person reads it: what failed and why, and what to do where that is known. */
export function explain(error: unknown): { readonly message: string; readonly next?: string } {
  if (isCancelled(error)) return { message: 'interrupted' }
  const message = error instanceof Error ? error.message : String(error)
  const next = nextStep(error)
  return next === undefined ? { message } : { message, next }
}

/** A pass that could not be finished, as the error of the command that needed it. */
export function failedPass({ application, conditions, failure }: ApplicationSnapshot): CliError {
  const message = conditions[0]?.message ?? failure?.message ?? `nothing could be found out about ${application.name}`
  return new CliError('refused', message, failure === undefined ? undefined : stepAfter(failure.stage, failure.reason))
}

function nextStep(error: unknown): string | undefined {
  if (CliError.is(error) || RehearsalError.is(error)) return error.next
  if (ClustersError.is(error)) return error.next === '' ? undefined : error.next
  if (ClusterError.is(error)) return stepAfter(error.stage, error.reason)
  if (RenderError.is(error)) return stepAfter(error.stage, error.reason)
  return GitError.is(error) ? stepAfter('source', error.reason) : undefined
}

function stepAfter(stage: Failure['stage'], reason: string): string | undefined {
  switch (stage) {
    case 'source':
      return gitStep(reason)
    case 'render':
      return renderStep(reason)
    default:
      return clusterStep(reason)
  }
}

function clusterStep(reason: string): string | undefined {
  switch (reason) {
    case 'unreachable':
    case 'timeout':
      return 'is the cluster up? `plumbline context list` shows what can be reached; `--context embedded` needs no cluster'
    case 'certificate':
      return 'renew the certificate or correct certificate-authority in the kubeconfig'
    case 'unauthorized':
    case 'credentials':
      return 'sign in again; the credentials of this context are not accepted'
    case 'forbidden':
      return 'ask for a role that allows it, or choose another context'
    case 'config':
      return '`plumbline context list` shows the contexts that exist'
    case 'too-many-requests':
    case 'server-error':
    case 'bad-answer':
      return 'try again in a while; nothing was changed that the next sync does not take up'
    default:
      return undefined
  }
}

function renderStep(reason: string): string | undefined {
  switch (reason) {
    case 'tool-missing':
      return 'run it again once it is installed; `plumbline doctor` shows what is found'
    case 'path-outside':
      return OUTSIDE
    case 'path-missing':
      return MISSING_PATH
    case 'alias-bomb':
    case 'too-deep':
    case 'too-large':
      return 'write it smaller, or in several files: the API server takes no object beyond 1.5 MiB'
    case 'duplicate-object':
      return 'remove one of the two'
    default:
      return undefined
  }
}

const OUTSIDE = 'keep what the application reads inside the repository; nothing outside it is ever read'
const MISSING_PATH =
  'correct spec.source.path, or commit the folder: files that are not committed are read with --worktree'

function gitStep(reason: string): string | undefined {
  switch (reason) {
    case 'not-a-repository':
      return 'run it inside a Git repository, or name where the Application files are with --apps'
    case 'unknown-revision':
      return '`git branch -a` and `git tag` list what there is; a clone may need `git fetch` first'
    case 'ambiguous-revision':
      return 'write more characters of the sha'
    case 'no-git-binary':
      return 'install git'
    case 'path-outside':
      return OUTSIDE
    case 'path-missing':
      return MISSING_PATH
    case 'too-large':
      return 'write it smaller, or in several files: the API server takes no object beyond 1.5 MiB'
    case 'auth-failed':
    case 'forbidden':
      return 'check the credentials of the repository; `git fetch` asks for the same ones'
    default:
      return undefined
  }
}
