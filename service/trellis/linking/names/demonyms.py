"""Demonyms: the countries that adjectives such as `German` and `Costa Rican` tell of."""

from __future__ import annotations

_ADJECTIVES = """
Afghan Afghanistan; Albanian Albania; Algerian Algeria; American United States, USA, United States
of America; Andorran Andorra; Angolan Angola; Argentine Argentina; Argentinian Argentina; Armenian
Armenia; Australian Australia; Austrian Austria; Azerbaijani Azerbaijan; Bahraini Bahrain;
Bangladeshi Bangladesh; Belarusian Belarus; Belgian Belgium; Beninese Benin; Bhutanese Bhutan;
Bolivian Bolivia; Bosnian Bosnia and Herzegovina, Bosnia; Brazilian Brazil; British United
Kingdom, UK, Great Britain; Bulgarian Bulgaria; Burmese Myanmar, Burma; Cambodian Cambodia;
Cameroonian Cameroon; Canadian Canada; Chadian Chad; Chilean Chile; Chinese China; Colombian
Colombia; Congolese Congo; Costa-Rican Costa Rica; Croatian Croatia; Croat Croatia; Cuban Cuba;
Cypriot Cyprus; Czech Czech Republic, Czechia; Danish Denmark; Dutch Netherlands, The Netherlands,
Holland; Ecuadorian Ecuador; Egyptian Egypt; Emirati United Arab Emirates; English England;
Eritrean Eritrea; Estonian Estonia; Ethiopian Ethiopia; Fijian Fiji; Filipino Philippines; Finnish
Finland; French France; Gabonese Gabon; Gambian Gambia; Georgian Georgia; German Germany; Ghanaian
Ghana; Greek Greece; Guatemalan Guatemala; Guinean Guinea; Haitian Haiti; Honduran Honduras;
Hungarian Hungary; Icelandic Iceland; Indian India; Indonesian Indonesia; Iranian Iran; Iraqi
Iraq; Irish Ireland, Republic of Ireland; Israeli Israel; Italian Italy; Ivorian Ivory Coast, Côte
d'Ivoire; Jamaican Jamaica; Japanese Japan; Jordanian Jordan; Kazakh Kazakhstan; Kenyan Kenya;
Korean South Korea, Korea; Kuwaiti Kuwait; Kyrgyz Kyrgyzstan; Laotian Laos; Latvian Latvia;
Lebanese Lebanon; Liberian Liberia; Libyan Libya; Lithuanian Lithuania; Luxembourgish Luxembourg;
Macedonian North Macedonia, Macedonia; Malagasy Madagascar; Malaysian Malaysia; Malian Mali;
Maltese Malta; Mauritanian Mauritania; Mexican Mexico; Moldovan Moldova; Mongolian Mongolia;
Montenegrin Montenegro; Moroccan Morocco; Mozambican Mozambique; Namibian Namibia; Nepalese Nepal;
Nepali Nepal; New-Zealand New Zealand; Nicaraguan Nicaragua; Nigerian Nigeria; Nigerien Niger;
North-Korean North Korea; Northern-Irish Northern Ireland; Norwegian Norway; Omani Oman; Pakistani
Pakistan; Palestinian Palestine; Panamanian Panama; Paraguayan Paraguay; Peruvian Peru; Polish
Poland; Portuguese Portugal; Puerto-Rican Puerto Rico; Qatari Qatar; Romanian Romania; Russian
Russia, Russian Federation; Rwandan Rwanda; Salvadoran El Salvador; Saudi Saudi Arabia;
Saudi-Arabian Saudi Arabia; Scottish Scotland; Senegalese Senegal; Serbian Serbia; Singaporean
Singapore; Slovak Slovakia; Slovakian Slovakia; Slovene Slovenia; Slovenian Slovenia; Somali
Somalia; South-African South Africa; South-Korean South Korea; Spanish Spain; Sri-Lankan Sri
Lanka; Sudanese Sudan; Surinamese Suriname; Swedish Sweden; Swiss Switzerland; Syrian Syria;
Taiwanese Taiwan; Tajik Tajikistan; Tanzanian Tanzania; Thai Thailand; Togolese Togo; Trinidadian
Trinidad and Tobago; Tunisian Tunisia; Turkish Turkey, Türkiye; Turkmen Turkmenistan; Ugandan
Uganda; Ukrainian Ukraine; Uruguayan Uruguay; Uzbek Uzbekistan; Venezuelan Venezuela; Vietnamese
Vietnam; Welsh Wales; Yemeni Yemen; Zambian Zambia; Zimbabwean Zimbabwe
"""  # each: adjective, then the country's names


def _read_adjectives() -> dict[str, tuple[str, ...]]:
    entries = (entry.split(maxsplit=1) for entry in _ADJECTIVES.split(";"))
    return {
        adjective.replace("-", " ").lower(): tuple(name.strip() for name in names.split(","))
        for adjective, names in entries
    }


_COUNTRIES = _read_adjectives()


def find_countries(text: str) -> tuple[str, ...]:
    """The names of the country that an adjective tells of; none where it is no such adjective, or
    begins with a small letter: polish is not Polish."""
    if not text[:1].isupper():
        return ()
    return _COUNTRIES.get(" ".join(text.replace("-", " ").split()).lower(), ())
