import PluginAPI

/// A statement of a `parallel` block: one task, or one for each iteration of its loop.
struct ParallelJob: Sendable {
  var statement: ScriptStatement
  /// The elements of its loop; nil if it is not one.
  var rows: ScriptRows?

  /// The number of tasks.
  var count: Int { rows?.count ?? 1 }
}

/// The outcome of a task of a `parallel` block.
struct ParallelResult: Sendable {
  var index: Int
  /// The status of its first failure after which the script continued; nil if there was none.
  var failure: Int32?
  /// The variable that its statement has set.
  var assigned: (name: String, value: Value)?
}

/// A task's part in its block.
struct ParallelTask: Sendable {
  let index: Int
  let order: ParallelOrder

  /// Writes the task's output if it is the first that has not ended.
  @MainActor func deliver() throws { try order.deliver(index) }

  /// Ends the task.
  @MainActor func end() throws { try order.end(index) }
}

/// Writes the output of tasks in the order in which they were started.
@MainActor final class ParallelOrder {
  /// The index of the first task that has not ended; its output is written at once.
  private(set) var head = 0
  private let output: ByteSink
  /// The sinks of the tasks that run.
  private var sinks: [Int: ByteSink] = [:]
  /// The output of tasks that have ended before an earlier one.
  private var held: [Int: [UInt8]] = [:]

  init(output: ByteSink) { self.output = output }

  /// Adds a task with the sink that holds its output until it ends.
  func add(_ sink: ByteSink, index: Int) { sinks[index] = sink }

  /// Writes the output of a task so far if no earlier task runs.
  func deliver(_ index: Int) throws {
    if index == head { try write(sinks[index]?.take() ?? []) }
  }

  /// Ends a task, and writes the output that waited for it.
  func end(_ index: Int) throws {
    held[index] = sinks.removeValue(forKey: index)?.take() ?? []
    while let bytes = held.removeValue(forKey: head) {
      head += 1
      try write(bytes)
    }
    try deliver(head)
  }

  /// Writes all output in order, after a failure.
  func deliverRest() throws {
    for (index, sink) in sinks { held[index] = sink.take() }
    for index in held.keys.sorted() { try write(held[index] ?? []) }
    (sinks, held) = ([:], [:])
  }

  private func write(_ bytes: [UInt8]) throws {
    if bytes.isEmpty { return }
    try output.write(bytes)
    try output.flush()
  }
}
