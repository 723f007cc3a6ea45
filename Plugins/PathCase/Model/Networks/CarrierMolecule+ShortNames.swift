extension CarrierMolecule {
  /// The short name shown in pictures, as in textbooks; nil if there is none.
  var shortName: String? { Self.shortNames[id] }

  private static let shortNames: [String: String] = [
    "atp": "ATP", "adp": "ADP", "amp": "AMP", "gtp": "GTP", "gdp": "GDP", "gmp": "GMP", "ctp": "CTP", "cdp": "CDP",
    "cmp": "CMP", "utp": "UTP", "udp": "UDP", "ump": "UMP", "itp": "ITP", "idp": "IDP", "nad": "NAD⁺", "nadh": "NADH",
    "nadp": "NADP⁺", "nadph": "NADPH", "fad": "FAD", "fadh2": "FADH₂", "fmn": "FMN", "fmnh2": "FMNH₂",
    "coa": "CoA", "ACP": "ACP", "thf": "THF",
    "pi": "Pi", "ppi": "PPi", "h": "H⁺", "h2o": "H₂O", "o2": "O₂", "o2s": "O₂⁻", "h2o2": "H₂O₂", "co2": "CO₂",
    "hco3": "HCO₃⁻", "nh4": "NH₄⁺", "so4": "SO₄²⁻", "k": "K⁺", "na1": "Na⁺", "cl": "Cl⁻",
  ]
}
