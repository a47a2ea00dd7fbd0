import { isCancelled } from '../shared/base/abort.ts'
import { GitError } from '../shared/git/git-error.ts'
import { ClusterError } from '../shared/kube/cluster-error.ts'
import { RenderError } from '../shared/render/errors.ts'
import { CliError } from './cli-error.ts'

/** An error as a person reads it: what failed and why, and what to do where that is known. */
export function explain(error: unknown): { readonly message: string; readonly next?: string } {
  if (isCancelled(error)) return { message: 'interrupted' }
  const message = error instanceof Error ? error.message : String(error)
  const next = nextStep(error)
  return next === undefined ? { message } : { message, next }
}

function nextStep(error: unknown): string | undefined {
  if (CliError.is(error)) return error.next
  if (ClusterError.is(error)) return clusterStep(error)
  if (GitError.is(error)) return gitStep(error)
  if (RenderError.is(error) && error.reason === 'tool-missing')
    return 'install it and run again, or see `plumbline doctor`'
  return undefined
}

function clusterStep(error: ClusterError): string | undefined {
  switch (error.reason) {
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
    default:
      return undefined
  }
}

function gitStep(error: GitError): string | undefined {
  switch (error.reason) {
    case 'not-a-repository':
      return 'run it inside a Git repository, or name where the Application files are with --apps'
    case 'unknown-revision':
      return '`git branch -a` and `git tag` list what there is; a clone may need `git fetch` first'
    case 'ambiguous-revision':
      return 'write more characters of the sha'
    case 'no-git-binary':
      return 'install git'
    default:
      return undefined
  }
}
