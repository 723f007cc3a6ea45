/// An element of a document that is open.
struct WireFrame {
  var local: String
  /// Whether its name is of the protocol; what is not is passed over.
  var isKnown: Bool
  /// What `xsi:type` says, or what stands there by the type around it.
  var type: WireType?
  var isNil: Bool
  var text: [UInt8] = []
  var children: [WireNode] = []
}
