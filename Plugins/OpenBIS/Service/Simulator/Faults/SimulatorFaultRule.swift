/// A fault with the calls it affects.
struct SimulatorFaultRule: Sendable, Hashable {
  /// The calls that a fault affects.
  enum Moment: Sendable, Hashable {
    case always
    /// The call with a number, counted from 1.
    case call(Int)
    /// The calls from a number on.
    case from(Int)
    /// The calls with a request key.
    case requestKey(String)
    case method(String)
  }

  var fault: SimulatorFault
  var moment: Moment
  /// The number of affected calls; nil for all.
  var times: Int?
  var metCount = 0

  init(_ fault: SimulatorFault, _ moment: Moment = .always, times: Int? = nil) {
    (self.fault, self.moment, self.times) = (fault, moment, times)
  }

  /// Parses `NAME`, `NAME@7`, `NAME@7-`, `NAME@ROOT`, `NAME@searchSamples`, each optionally followed by `xTIMES`; nil
  /// for an unknown fault.
  init?(_ text: String) {
    var rest = text[...]
    var times: Int?
    if let cross = rest.lastIndex(of: "x"), let count = Int(rest[rest.index(after: cross)...]) {
      times = count
      rest = rest[..<cross]
    }
    let parts = rest.split(separator: "@", maxSplits: 1)
    guard let name = parts.first, let fault = SimulatorFault(rawValue: String(name)) else { return nil }
    self.init(fault, parts.count > 1 ? Self.moment(parts[1]) : fault.usualMoment, times: times ?? fault.usualTimes)
  }

  private static func moment(_ text: Substring) -> Moment {
    if let number = Int(text) { return .call(number) }
    if text.last == "-", let number = Int(text.dropLast()) { return .from(number) }
    return text.allSatisfy { $0.isUppercase || $0 == "_" } ? .requestKey(String(text)) : .method(String(text))
  }

  var isLeft: Bool { times.map { metCount < $0 } ?? true }

  func meets(_ number: Int, _ method: String, _ requestKey: String?) -> Bool {
    switch moment {
    case .always: fault.meets(method: method)
    case .call(let wanted): number == wanted
    case .from(let first): number >= first
    case .requestKey(let key): requestKey == key
    case .method(let name): method == name
    }
  }
}
