/// Data shown on the picture of a network: fluxes, measured levels, the result of a scenario.
///
/// Processes and pools are identified by what they represent (`GraphNode.entity`, or else the node's id), so one
/// overlay fits every layout of a network, with and without clones.
struct GraphOverlay: Sendable, Hashable {
  /// The mark of a process.
  struct ProcessMark: Sendable, Hashable {
    /// The state of the process; nil if only its number is known.
    var state: ProcessState?
    /// The flux or another number of the process; nil for none.
    var value: Double?
    /// A Boolean value indicating whether the state is the same in every scenario.
    var isForced = false
  }

  /// The mark of a pool.
  struct PoolMark: Sendable, Hashable {
    /// The text beside the pool, such as `A` or `A|C`; "" for none.
    var label: String
    /// The level or another number of the pool; nil for none.
    var value: Double?
    /// A Boolean value indicating whether the level was measured rather than inferred.
    var isObserved = false
  }

  /// The description of the data, for the title of the picture.
  var title: String
  var processes: [Identifier: ProcessMark] = [:]
  var pools: [Identifier: PoolMark] = [:]

  /// The largest absolute value of a process, to which widths and colors are scaled; 0 if there are none.
  var largestValue: Double {
    processes.values.reduce(0) { max($0, abs($1.value ?? 0)) }
  }
}
