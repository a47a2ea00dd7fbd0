# The agent for a cluster: `plumbline agent run`, as nobody, on a file system that it cannot write.
#
#   npm install && docker build -t plumbline-agent:latest .
#
# `npm install` builds dist/, which is whole: the image brings no node_modules. NODE_IMAGE is any Debian with Node 22.19 or later
# as `node`; KUSTOMIZE and HELM name images that have those tools, for applications that need them.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG KUSTOMIZE=registry.k8s.io/kustomize/kustomize:v5.8.1
ARG HELM=alpine/helm:4.0.4

FROM ${KUSTOMIZE} AS kustomize
FROM ${HELM} AS helm

FROM ${NODE_IMAGE}
# git: for remotes over ssh, and for repositories of SHA-256.
RUN command -v git >/dev/null || ( \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
    && rm -rf /var/lib/apt/lists/* )
COPY --from=kustomize /app/kustomize /usr/local/bin/kustomize
COPY --from=helm /usr/bin/helm /usr/local/bin/helm
COPY package.json /opt/plumbline/package.json
COPY dist /opt/plumbline/dist
USER 10001:10001
WORKDIR /var/lib/plumbline
ENTRYPOINT ["node", "/opt/plumbline/dist/cli.js"]
CMD ["agent", "run"]
