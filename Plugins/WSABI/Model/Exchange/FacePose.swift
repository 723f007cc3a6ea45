import PluginText

/// The pose of a face, by its code in field 10.020.
///
/// - Source: ANSI/NIST-ITL 1-2011, field 10.020 (`POS`), which is optional.
enum FacePose: String, Sendable {
  case frontal = "F"
  case rightProfile = "R"
  case leftProfile = "L"
  case angled = "A"

  /// Creates the pose that a sensor's word implies; nil if it implies none, as `Face2d` does.
  init?(word: String) {
    let letters = Array(Submodality.key(word).utf8)
    func says(_ part: String) -> Bool { ByteSearch.contains(part.utf8, in: letters) }
    if says("quarter") || says("angled") || says("halfprofile") {
      self = .angled
    } else if says("profile") {
      // The visible side of the face must be stated.
      let (left, right) = (says("left"), says("right"))
      guard left != right else { return nil }
      self = left ? .leftProfile : .rightProfile
    } else if says("frontal") {
      self = .frontal
    } else {
      return nil
    }
  }
}
