import PluginText

/// Reads the token lists of COMPND and SOURCE.
enum PDBCompounds {
  /// Builds compounds from the joined texts of the two records.
  ///
  /// Tokens are `TOKEN: value;`; a value may contain colons and, if no token follows, semicolons.
  /// - Source: Contents Guide 3.30, COMPND and SOURCE.
  static func compounds(compound: String, source: String) -> [Compound] {
    var list: [Compound] = []
    for detail in tokens(compound) {
      if detail.token == "MOL_ID" || list.isEmpty { list.append(Compound()) }
      let last = list.count - 1
      switch detail.token {
      case "MOL_ID": list[last].id = detail.value
      case "MOLECULE": list[last].name = detail.value
      case "CHAIN":
        list[last].chains = detail.value.pieces(separatedBy: 44)
      default: list[last].details.append(detail)
      }
    }
    addSources(tokens(source), to: &list)
    return list
  }

  private static func addSources(_ details: [Compound.Detail], to list: inout [Compound]) {
    var place = 0
    for detail in details {
      if detail.token == "MOL_ID" {
        if let known = list.firstIndex(where: { $0.id == detail.value }) {
          place = known
        } else {
          list.append(Compound(id: detail.value))
          place = list.count - 1
        }
        continue
      }
      if list.isEmpty { list.append(Compound()) }
      if detail.token == "ORGANISM_SCIENTIFIC" || (detail.token.isEmpty && list[place].organism.isEmpty) {
        list[place].organism = detail.value
      } else {
        list[place].sourceDetails.append(detail)
      }
    }
  }

  /// Splits a text into tokens; text without a token (files before 1996) has an empty token or is the molecule's name.
  private static func tokens(_ text: String) -> [Compound.Detail] {
    var details: [Compound.Detail] = []
    for piece in text.pieces(separatedBy: 59) {
      let part = piece.squeezed()
      if let colon = part.utf8.firstIndex(of: 58), isToken(part[..<colon]) {
        let value = String(part[part.utf8.index(after: colon)...]).trimmed()
        details.append(Compound.Detail(token: part[..<colon].trimmed(), value: value))
      } else if details.isEmpty {
        details.append(Compound.Detail(token: "MOLECULE", value: part))
      } else {
        details[details.count - 1].value += "; " + part
      }
    }
    return details
  }

  private static func isToken(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { ($0 >= 65 && $0 <= 90) || $0 == 95 || $0 == 32 || ($0 >= 48 && $0 <= 57) }
  }
}
