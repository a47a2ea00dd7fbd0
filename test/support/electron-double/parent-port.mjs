// What a utility process finds in Electron: a port to its parent, here over Node's own.
process.parentPort = {
  on: (_event, listener) => process.on('message', (data) => listener({ data })),
  postMessage: (data) => process.send?.(data),
}
process.on('disconnect', () => process.exit(0))
