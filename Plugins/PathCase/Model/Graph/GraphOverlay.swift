/// What is laid over the picture of a network: fluxes, measured levels, what a scenario says.
///
/// It names processes and pools by what they stand for (`GraphNode.entity`, else its id), so that one overlay fits every
/// layout of a network, with clones and without.
struct GraphOverlay: Sendable, Hashable {
  /// How a process is drawn.
  struct ProcessMark: Sendable, Hashable {
    /// What it does; nil if only its number is known.
    var state: ProcessState?
    /// Its flux or another number of it; nil for none.
    var value: Double?
    /// Whether every scenario has it so.
    var isForced = false
  }

  /// How a pool is drawn.
  struct PoolMark: Sendable, Hashable {
    /// What stands beside it, such as `A` or `A|C`; "" for nothing.
    var label: String
    /// Its level or another number of it; nil for none.
    var value: Double?
    /// Whether it was measured rather than concluded.
    var isObserved = false
  }

  /// What is shown, for the title of the picture.
  var title: String
  var processes: [Identifier: ProcessMark] = [:]
  var pools: [Identifier: PoolMark] = [:]

  /// The largest absolute number of a process, to which widths and colours are scaled; 0 if there are none.
  var largestValue: Double {
    processes.values.reduce(0) { max($0, abs($1.value ?? 0)) }
  }
}
