@testable import WSABI

/// A player of a service for a sequence: it responds as scripted, otherwise with success; or at random, by a seed.
struct SequencePlayer {
  enum Reply {
    case status(OperationStatus)
    case success(metadata: [WireDictionary.Item])
    case none(StepFailure.Reach)
    case givenUp
  }

  var state = LinkState()
  /// Replies to a step in place of success, in order.
  var answers: [SequenceStep: [Reply]] = [:]
  /// The steps requested in the last sequence.
  private(set) var steps: [SequenceStep] = []
  /// The waits of the sequence played last, in milliseconds.
  private(set) var waits: [Int] = []
  /// The number of captures requested after one with an unknown outcome, within one sequence.
  private(set) var blindCaptures = 0
  private var captures = 0
  /// The configuration reported by a service that applied its settings.
  private var configuration = WireDictionary()
  private var random: UInt64?

  init(seed: UInt64? = nil) { random = seed.map { $0 &* 0x9E37_79B9_7F4A_7C15 | 1 } }

  static func capture(_ number: Int) -> SensorUUID {
    let digits = String(number)
    let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    guard let id = SensorUUID(text) else { preconditionFailure("'\(text)' is no UUID") }
    return id
  }

  mutating func play(_ goal: SequenceGoal) -> SequenceOutcome {
    (steps, waits) = ([], [])
    configuration = goal.configuration ?? WireDictionary()
    var sequence = SensorSequence(goal, from: state)
    var advice = sequence.begin()
    var isBlind = false
    while true {
      switch advice {
      case .finished(let outcome):
        state = sequence.state
        return outcome
      case .wait(let milliseconds, _):
        waits.append(milliseconds)
        advice = sequence.receive(.waited)
      case .ask(let step):
        steps.append(step)
        if step == .capture, isBlind { blindCaptures += 1 }
        let event = reply(step)
        if step == .capture, Self.isBlind(event) { isBlind = true }
        advice = sequence.receive(event)
      }
    }
  }

  /// Returns true if the service may have captured without reporting the id.
  private static func isBlind(_ event: SequenceEvent) -> Bool {
    switch event {
    case .failed(let failure): failure.reach == .unknown
    case .answered(let answer): answer.status == .success && answer.captureIDs.isEmpty
    case .givenUp: true
    case .waited: false
    }
  }

  private mutating func reply(_ step: SequenceStep) -> SequenceEvent {
    var reply = Reply.success(metadata: [])
    if var scripted = answers[step], !scripted.isEmpty {
      reply = scripted.removeFirst()
      answers[step] = scripted
    } else if random != nil {
      reply = chance()
    } else {
      return .answered(success(step))
    }
    switch reply {
    case .status(.success): return .answered(success(step))
    case .status(let status): return .answered(SensorAnswer(status: status, namespace: .bioserv))
    case .success(let metadata):
      return .answered(SensorAnswer(status: .success, metadata: WireDictionary(metadata), namespace: .bioserv))
    case .none(let reach): return .failed(StepFailure(reach: reach, reason: "cut"))
    case .givenUp: return .givenUp
    }
  }

  private mutating func success(_ step: SequenceStep) -> SensorAnswer {
    var answer = SensorAnswer(status: .success, namespace: .bioserv)
    if step == .register { answer.sessionID = Self.capture(999) }
    if step == .readBack { answer.metadata = configuration }
    if step == .capture {
      captures += 1
      answer.captureIDs = [Self.capture(captures)]
    }
    return answer
  }

  private mutating func chance() -> Reply {
    let number = Int(nextRandom() % 30)
    switch number {
    case 0...12: return .status(.success)
    case 13...27: return .status(OperationStatus.standard[number - 12])
    case 28: return [Reply.none(.unknown), .none(.notSent), .none(.unknownAddress)][Int(nextRandom() % 3)]
    default: return nextRandom() % 2 == 0 ? .givenUp : .success(metadata: [])
    }
  }

  /// - Source: Marsaglia, "Xorshift RNGs", 2003.
  private mutating func nextRandom() -> UInt64 {
    var value = random ?? 1
    value ^= value << 13
    value ^= value >> 7
    value ^= value << 17
    random = value
    return value >> 20
  }
}
