import PluginAPI

/// Runs shards on this machine, with workers on threads of their own.
struct LocalExecutor: Sendable {
  let job: ShardWorker.Job
  let workerCount: Int

  /// Runs the shards that others do not run.
  ///
  /// - Parameter shards: The shards to choose from.
  /// - Returns: The end that is not `done`, if any worker had one.
  /// - Throws: The first error of a worker, such as a full disk.
  func run(_ shards: ClosedRange<Int>, _ call: CommandCall) async throws -> ShardWorker.End {
    let claims = ShardClaims(shards, of: job.folder, stop: job.stop)
    return try await watchingSignals(call) {
      try await withThrowingTaskGroup(of: ShardWorker.End.self) { group in
        let count = min(workerCount, shards.count)
        let cores = ProcessorCores(workerCount: count)
        for index in 0..<count {
          group.addTask {
            try await call.context.eventLoop.compute("batch") { progress in
              try Self.drain(claims, job, cores, index, progress)
            }
          }
        }
        var end = ShardWorker.End.done
        for try await one in group where one != .done { end = one }
        return end
      }
    }
  }

  /// Runs one shard, even if others run it too.
  func run(only shard: Int, _ call: CommandCall) async throws -> ShardWorker.End {
    try await watchingSignals(call) {
      try await call.context.eventLoop.compute("batch") { progress in
        let claim = try ShardClaims.claim(shard, of: job.folder)
        defer { claim?.release() }
        let worker = try ShardWorker(job, progress)
        defer { worker.endChild() }
        return try worker.work(on: shard)
      }
    }
  }

  /// Runs workers that SIGTERM stops and whose logs Ctrl-C ends.
  private func watchingSignals(
    _ call: CommandCall, _ work: @Sendable () async throws -> ShardWorker.End
  ) async throws -> ShardWorker.End {
    job.stop.watch()
    defer { job.stop.end() }
    try await call.context.eventLoop.compute("removing abandoned folders") { [job] _ in
      ChildFolder.removeAbandoned(under: job.launch.temporaryFolder)
    }
    return try await withTaskCancellationHandler(operation: work) { job.logs.interrupt() }
  }

  private static func drain(
    _ claims: ShardClaims, _ job: ShardWorker.Job, _ cores: ProcessorCores, _ index: Int, _ progress: any WorkProgress
  ) throws -> ShardWorker.End {
    defer { cores.release() }
    let worker = try ShardWorker(job, progress) { cores.core(of: index) }
    defer { worker.endChild() }
    while let claim = try claims.next(progress) {
      defer { claim.release() }
      let end = try worker.work(on: claim.shard)
      if end != .done { return end }
    }
    if job.stop.isSet { return .stopped }
    return job.folder.isCanceled ? .canceled : .done
  }
}
