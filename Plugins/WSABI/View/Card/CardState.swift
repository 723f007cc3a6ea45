import PluginAPI

/// The capture card of an item: its front with picture and button, its back with what is said of the parts.
struct CardState: Sendable {
  /// What the front shows besides the facts.
  enum Shown: Sendable {
    /// Nothing yet, or a capture that is no picture; in words.
    case words(String)
    case stored(Picture)
    case live(Picture)
  }

  var item: BiometricItem?
  var personName = ""
  var isBack = false
  var shown = Shown.words("")
  private(set) var button = CaptureButton.inactive
  /// Whether the button has been as it is for as long as its words wait.
  private(set) var hasWaited = false
  /// Counted up where the button is replaced, so that late timers can be told.
  private(set) var buttonGeneration = 0
  /// Whether a capture of this item is under way.
  private(set) var isCapturing = false
  /// Counted up to move what moves.
  var phase = 0
  /// Which line of the back is selected: the parts in order, then the notes.
  var selectedLine = 0
  /// What was not as it should be and does not stop the work; empty for nothing.
  var notice = ""

  var parts: [BodyPart] { item?.submodality.parts ?? [] }

  /// How the parts are, one for each.
  var conditions: [PartCondition] {
    let known = item?.annotation.conditions ?? []
    return parts.indices.map { known.indices.contains($0) ? known[$0] : .present }
  }

  /// What the button says now.
  var buttonText: String { button.text(afterMilliseconds: hasWaited ? button.delayInMilliseconds : 0) }

  /// After how many milliseconds the button says more; nil if it says all.
  var delay: Int? { button.delayInMilliseconds > 0 && !hasWaited ? button.delayInMilliseconds : nil }

  /// Puts another button in the place of this one.
  mutating func set(_ new: CaptureButton) {
    guard new != button else { return }
    (button, hasWaited) = (new, false)
    buttonGeneration += 1
  }

  /// The words of the button have waited long enough.
  mutating func waited(_ generation: Int) { if generation == buttonGeneration { hasWaited = true } }

  /// Takes the item as the store has it.
  mutating func take(_ new: BiometricItem) {
    item = new
    selectedLine = min(selectedLine, new.submodality.parts.count)
    if new.capture != nil {
      set(.inactive)
    } else if button == .inactive {
      set(.capture)
    }
  }

  /// The link is made ready; until it is, the button waits.
  mutating func prepare(isAnew: Bool) { if item?.capture == nil { set(isAnew ? .waitingToRestart : .waiting) } }

  /// A capture was asked for.
  mutating func began() {
    isCapturing = true
    notice = ""
    set(.stop)
  }

  /// What was under way is given up.
  mutating func gaveUp() {
    isCapturing = false
    if item?.capture == nil { set(.capture) }
  }

  /// Takes what was told of the sensors.
  ///
  /// - Parameter address: The address of the item's sensor.
  /// - Returns: Whether the item should be read again.
  mutating func take(_ news: SensorNews, address: String?) -> Bool {
    guard let item else { return false }
    if let other = news.item {
      guard other == item.id else { return false }
      return takeOwn(news)
    }
    switch news {
    case .connected(address, let isReady) where !isCapturing:
      if isReady, item.capture == nil { set(.capture) }
    case .step(address, let operation, nil) where isCapturing:
      if operation == SensorOperation.register.rawValue { set(.waitingToRestart) }
      if operation == SensorOperation.capture.rawValue { set(.stop) }
    case .stolen(address): notice = "the lock of the sensor was taken from its holder"
    default: break
    }
    return false
  }

  private mutating func takeOwn(_ news: SensorNews) -> Bool {
    switch news {
    case .capturing: began()
    case .waiting: set(.waiting)
    case .captured: set(.waiting)
    case .stored:
      isCapturing = false
      return true
    case .lost(_, let reason): end(.warning("the capture is lost: \(reason)"))
    case .trouble(_, let reason): notice = reason
    case .ended(_, let ending, let reason): ended(ending, reason)
    case .connected, .step, .stolen: break
    }
    return false
  }

  private mutating func ended(_ ending: String, _ reason: String) {
    switch ending {
    case "given-up", "done": gaveUp()
    case "unknown": end(.warning("nobody knows whether it captured (\(reason))"))
    default: end(.warning(reason))
    }
  }

  private mutating func end(_ new: CaptureButton) {
    isCapturing = false
    set(new)
  }
}
