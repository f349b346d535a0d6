"""Holds the words that speak of the picture and not of what it shows: its medium, light, lens.

A piece of a prompt between two commas is style where all its words are in these lists and one of
them is in `STYLE`.
"""

from hallascope.metrics.parsing.words.language import wordset

# a picture is made as one of these: "an oil painting of a cat"
MEDIA = wordset("""
    photo photos photograph photographs photography picture image painting paintings illustration
    drawing sketch artwork art rendering render depiction portrait watercolor watercolour
    watercolors gouache acrylic fresco lithograph etching engraving woodcut linocut collage cartoon
    comic anime manga screenshot snapshot shot selfie poster emoji icon logo clipart clip-art cgi
    animation claymation stop-motion 3d 2d closeup close-up wallpaper infographic caricature doodle
    storyboard still macro view scene diorama mosaic tapestry mural graffiti print pixelart film
    footage
""")
# beside a medium these say which: "an oil painting", "charcoal sketch", "cross-section view"
_TECHNIQUES = wordset("""
    oil digital pencil ink charcoal pastel chalk crayon line pixel vector concept fantasy wide angle
    low high top down top-down bottom-up bird's eye birds-eye worm's aerial drone overhead front
    side rear back full body full-body half upper upper-body half-body waist-up long medium extreme
    studio product fashion food street wildlife nature landscape portrait stock editorial
    documentary candid film analog analogue polaroid vintage retro old cross-section cross section
    cutaway exploded x-ray thermal infrared satellite microscope isometric panoramic panorama
    fisheye fish-eye tilt-shift split screen key book children's comic cover ancient egyptian
    chinese japanese dutch renaissance baroque impressionist expressionist surrealist cubist
    romantic gothic victorian medieval modern contemporary classical traditional flat simple
    minimalist minimal abstract naive folk pop op op-art street-art tattoo sticker splash matte fan
    official box rule thirds of the rule-of-thirds on a an in and with from behind above below over
    eye-level level ground life noir
""")
# each makes its piece of the prompt style, alone or with words of these lists
_QUALITY = wordset("""
    masterpiece quality best-quality high-quality detailed hyperdetailed ultradetailed
    highly-detailed ultra-detailed intricate details detail 2k 4k 8k 16k hd uhd fhd hdr hq hires
    depth thirds background backdrop colors colours tracing deco nouveau highres high-res absurdres
    resolution high-resolution photorealistic photoreal photo-realistic hyperrealistic
    hyper-realistic hyperrealism photorealism realistic ultrarealistic ultra-realistic
    semi-realistic lifelike award-winning awardwinning artstation deviantart pixiv behance cgsociety
    500px flickr unsplash pinterest rawphoto sharp crisp noise grain grainy focus in-focus bokeh
    blur blurry dof depth-of-field vignette composition symmetrical symmetry wallpaper cinematic
    epic stunning gorgeous breathtaking aesthetic vfx professional trending hyperdetail
""")
_LIGHT = wordset("""
    lighting light lights backlit backlight backlighting rim-light chiaroscuro sunbeams god-rays
    godrays volumetric illumination caustics glow lens-flare contrast high-contrast low-key high-key
    exposure long-exposure double-exposure
""")
_CAMERAS = wordset("""
    dslr slr kodak portra ektachrome kodachrome fujifilm fuji superia velvia canon eos nikon sony
    leica hasselblad pentax olympus zeiss sigma arri alexa imax 35mm 50mm 85mm 24mm 28mm 70mm 100mm
    105mm 135mm 200mm 16mm 8mm f1.2 f1.4 f1.8 f2 f2.8 f4 f5.6 f8 f/1.2 f/1.4 f/1.8 f/2 f/2.8 f/4
    f/5.6 f/8 lens telephoto wide-angle ultrawide anamorphic super-resolution lomography cinestill
    ilford instax gopro iso aperture shutter
""")
_RENDERERS = wordset("""
    unreal engine octane blender v-ray vray arnold redshift cinema4d c4d houdini zbrush maya keyshot
    cycles lumion unity raytracing ray-tracing raytraced ray-traced ssao pbr subsurface scattering
    photoshop illustrator procreate midjourney dall-e dalle voxel low-poly lowpoly pixar dreamworks
    disney ghibli rtx radiosity postprocessing post-processing
""")
_GENRES = wordset("""
    cozy lofi lo-fi cottagecore goblincore fairycore darkacademia vaporwave synthwave outrun
    cyberpunk steampunk dieselpunk solarpunk biopunk noir monochrome monochromatic grayscale
    greyscale sepia minimalism surreal surrealism expressionism impressionism cubism fauvism dadaism
    pointillism constructivism bauhaus brutalism rococo ukiyo-e sumi-e art-deco art-nouveau
    psychedelic whimsical dreamy ethereal moody atmospheric atmosphere mood ambiance ambience vibe
    vibes aesthetics nostalgic melancholic serene mysterious ominous eerie dystopian utopian
    futuristic sci-fi scifi y2k kawaii chibi hentai nsfw sfw claymation palette tones hues style
    styled stylized overcast fantasy isometric poly minimal minimalist solo
""")
_TIMES = wordset("""
    night nighttime day daytime daylight dusk dawn twilight evening morning afternoon noon midday
    midnight hour sunrise summer winter autumn spring weather
""")
STYLE = MEDIA | _QUALITY | _LIGHT | _CAMERAS | _RENDERERS | _GENRES | _TIMES
# words that a piece of style may also have, and that make none alone
BESIDE_STYLE = (
    STYLE
    | _TECHNIQUES
    | wordset("""
        best highly very extremely super ultra hyper intricately finely award winning raw depth
        field shallow soft hard warm cold cool natural dramatic studio ambient neon rim volumetric
        golden blue hour magic moody dark bright dim muted vibrant vivid pastel saturated
        desaturated colorful earthy neutral color colors colour colours tone tones hue hues palette
        scheme background backdrop plain white black gray grey out angle lens f mm iso tracing ray
        rays god late early rainy foggy misty stormy cloudy sunny snowy hazy clear high low
        resolution long double exposure flare trending unreal cinema 4d perspective perspectives
        shading cel cel-shaded shadows reflections textures texture smooth clean bold strong subtle
        gentle beautiful amazing elegant perfect good great crisp fine rich deep global subsurface
        by art deco nouveau new official post processing 90s 80s 70s 60s 50s 1990s 1980s 1970s 1960s
        1950s 1940s 1930s 1920s style national geographic magazine vogue studio ghibli pixar disney
        dreamworks marvel school three-point split diffuse diffused harsh overhead directional key
        fill candlelit moonlit sunlit morning evening light foreground two-tone duotone blurred
        blurry shaded
    """)
)
# the last word of a piece of style whatever stands before it: "vintage anime style"
STYLE_ENDINGS = wordset("""
    style aesthetic aesthetics vibe vibes lighting photography illustration render rendering
    artstation composition resolution palette noir
""")
GENRE_SUFFIXES = ("core", "punk", "wave", "ism")
# these may name or describe a thing, so that alone they are no style: "spring", "lights"
WEAK = wordset("""
    spring light lights glow sunrise lens wallpaper mosaic tapestry mural graffiti print poster logo
    icon engine shot still film cartoon comic maya unity scene view detail details serene mysterious
    futuristic realistic detailed sharp symmetrical intricate stunning gorgeous epic professional
    steampunk blurry crisp grainy photo photos photograph photographs picture image painting
    paintings drawing sketch portrait weather summer winter autumn evening noise blur contrast
    cycles redshift arnold canon sigma diorama collage emoji animation unreal
""")
# surfaces that a picture is painted on: "oil on canvas"
GROUNDS = wordset("canvas paper wood panel board cardboard linen vellum parchment silk")
# materials of sculptures, which name the medium where they stand alone: "Marble."
SCULPTED = wordset("marble bronze terracotta plaster ceramic")
